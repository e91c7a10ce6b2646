// The only module that benchmarks import: it re-exports what benchmarks and subjects need.
@_exported import GaugeMeasurement
@_exported import GaugeSupport
