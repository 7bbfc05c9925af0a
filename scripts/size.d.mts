type Chunk = { file: string; imports?: string[]; dynamicImports?: string[] }

export declare const scriptsOf: (manifest: Record<string, Chunk>, entries: string[]) => string[]
export declare const scriptsOfPage: (html: string) => string[]
export declare const capabilityScripts: (
  manifest: Record<string, Chunk>,
  present: string[],
  name: string,
) => { own: string[]; all: string[] }
