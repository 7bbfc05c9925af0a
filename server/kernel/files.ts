import { closeSync, fsyncSync, openSync } from 'node:fs'

/** Makes created, renamed and removed entries of a folder durable. Windows has no such call. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
