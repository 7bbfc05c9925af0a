/** The version of this package, sent to the dialog. A test compares it with package.json. */
export const loaderVersion = '0.1.0'
