type Entry = {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  optionalDependencies?: Record<string, string>
}

export declare const missingFromLock: (
  locked: Record<string, Entry>,
) => { name: string; version: string; dev: boolean }[]
export declare const completeLock: (locked: Record<string, Entry>) => Record<string, Entry>
