type Chunk = { file: string; imports?: string[]; dynamicImports?: string[] }

export declare const scriptsOf: (manifest: Record<string, Chunk>, entries: string[]) => string[]
