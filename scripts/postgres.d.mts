export function startPostgres(): Promise<{ readonly url: string; readonly stop: () => Promise<void> }>
