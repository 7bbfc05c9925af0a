/** The version of this package, as it names itself to the server and to the loader. */
export const dialogVersion = '0.1.0'
