struct Disk {}
