// Empty: the overlay that the compiler looks for.
