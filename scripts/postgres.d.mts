export type Postgres = {
  readonly url: string
  readonly restart: (signal: 'SIGINT' | 'SIGQUIT') => Promise<void>
  /** What is in the tables, asked beside everybody else. */
  readonly rowsOf: (sql: string) => Promise<readonly Readonly<Record<string, unknown>>[]>
  readonly stop: () => Promise<void>
}
export function startPostgres(options?: { readonly waitsForDisk?: boolean }): Promise<Postgres>
