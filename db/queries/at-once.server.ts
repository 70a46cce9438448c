/** So many rows go at most in one transaction: a backlog keeps nobody else from writing. */
export const AT_ONCE = 500;
