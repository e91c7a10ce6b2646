// Foundation, and FoundationNetworking where that is a separate module. Re-exported: importing URLCaching brings
// URLRequest and CachedURLResponse on every platform, and no other file needs the condition.
@_exported import Foundation

#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif
