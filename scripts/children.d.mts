type Death = { name: string; how: string; lines: string[] }

export declare const createChildren: (options: { logFolder: string; onDeath: (death: Death) => void }) => {
  start: (program: { name: string; args: string[]; env?: Record<string, string>; echo?: boolean }) => void
  waitFor: (name: string, at: { port: number; host: string; path: string }) => Promise<boolean>
  stop: () => Promise<void>
}
