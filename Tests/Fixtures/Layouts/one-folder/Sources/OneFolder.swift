struct OneFolder {}
