struct Memory {}
