struct OldPlatform {}
