/* The chip is given on the compiler's command line. */
