/** The folders of apps in people's Drives: one a client and person. */
import { randomBytes } from 'node:crypto'

export type DriveFile = { id: string; name: string; content: string }

export const createDrives = () => {
  const drives = new Map<string, Map<string, DriveFile>>()
  const of = (owner: string) => {
    const drive = drives.get(owner) ?? new Map<string, DriveFile>()
    drives.set(owner, drive)
    return drive
  }
  return {
    put: (owner: string, name: string, content: string): DriveFile => {
      const file = { id: randomBytes(12).toString('base64url'), name, content }
      of(owner).set(file.id, file)
      return file
    },
    /** Newest first. */
    named: (owner: string, name: string) =>
      [...of(owner).values()].filter((file) => file.name === name).reverse(),
    get: (owner: string, id: string) => of(owner).get(id),
    drop: (owner: string, id: string) => of(owner).delete(id),
    all: () => [...drives.values()].flatMap((drive) => [...drive.values()]),
    clear: () => drives.clear(),
    /** Every file says something else now. */
    rewrite: (change: (content: string) => string) => {
      for (const drive of drives.values()) {
        for (const file of drive.values()) drive.set(file.id, { ...file, content: change(file.content) })
      }
    },
  }
}
export type Drives = ReturnType<typeof createDrives>
