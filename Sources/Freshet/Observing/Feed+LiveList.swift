extension Feed: LiveList {}
