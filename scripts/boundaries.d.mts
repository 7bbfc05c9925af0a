type Manifest = {
  name?: string
  exports?: Record<string, unknown>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

export type Violation = { path: string; specifier: string; reason: string }

export declare const boundaryFolders: string[]
export declare const importsOf: (path: string, code: string) => string[]
export declare const findViolations: (
  files: Iterable<[path: string, code: string]>,
  manifests: Record<string, Manifest>,
) => Violation[]
