// Foundation, and with it, where it is a module of its own, FoundationNetworking. Re-exported, so that whoever imports
// URLCaching has URLRequest and CachedURLResponse on every platform, and no other file needs the condition.
@_exported import Foundation

#if canImport(FoundationNetworking)
@_exported import FoundationNetworking
#endif
