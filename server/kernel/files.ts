import { closeSync, fsyncSync, openSync } from 'node:fs'

/** What was made, renamed or removed in it is so after a power cut too. Windows has no such call. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
