export declare const precompress: (folder: string) => void
