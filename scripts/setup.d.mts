/** The packages of the lock file that are not there in its version; the folder is this project's own. */
export function missingPackages(folder?: string): readonly string[]
export function reasonToInstall(missing: readonly string[], wanted: number): string
