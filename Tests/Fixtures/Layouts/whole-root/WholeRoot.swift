struct WholeRoot {}
