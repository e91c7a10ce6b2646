// The only module that benchmarks import: it re-exports the modules with the parts of benchmarks and subjects.
@_exported import GaugeMeasurement
@_exported import GaugeSupport
