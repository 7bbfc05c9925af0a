/** The version of this package, as sent to the server and the loader. */
export const dialogVersion = '0.1.0'
