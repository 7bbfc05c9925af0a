export declare const root: string
export declare function say(text: string): void
/** Ends the script with words instead of a stack. */
export declare function endWithWords(text: string): never
/** The environment of this process with these beside it, the project's programs before those of the machine. */
export declare function childEnvironment(
  extra?: Readonly<Record<string, string | undefined>>,
): NodeJS.ProcessEnv
/** The packages of the lock file that are not there in its version; the folder is this project's own. */
export declare function missingPackages(folder?: string): readonly string[]
export declare function reasonToInstall(missing: readonly string[], wanted: number): string
