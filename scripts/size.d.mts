type Chunk = { file: string; imports?: string[]; dynamicImports?: string[] }

export declare const scriptsOf: (manifest: Record<string, Chunk>, entries: string[]) => string[]
export declare const scriptsOfPage: (html: string) => string[]
