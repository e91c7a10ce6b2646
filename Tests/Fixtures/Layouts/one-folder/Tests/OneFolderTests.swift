import OneFolder
