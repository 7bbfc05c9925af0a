export declare const beforeBuild: (folder: string) => void
export declare const afterBuild: (folder: string) => void
