/** The app folders in Google Drive, one per client and person. */
import { randomBytes } from 'node:crypto'

export type DriveFile = { id: string; name: string; content: string }

export const createDrives = () => {
  const drives = new Map<string, Map<string, DriveFile>>()
  const getDrive = (owner: string) => {
    const drive = drives.get(owner) ?? new Map<string, DriveFile>()
    drives.set(owner, drive)
    return drive
  }
  return {
    put: (owner: string, name: string, content: string): DriveFile => {
      const file = { id: randomBytes(12).toString('base64url'), name, content }
      getDrive(owner).set(file.id, file)
      return file
    },
    /** Returns the files with this name, newest first. */
    findByName: (owner: string, name: string) =>
      [...getDrive(owner).values()].filter((file) => file.name === name).reverse(),
    get: (owner: string, id: string) => getDrive(owner).get(id),
    remove: (owner: string, id: string) => getDrive(owner).delete(id),
    all: () => [...drives.values()].flatMap((drive) => [...drive.values()]),
    clear: () => drives.clear(),
    /** Replaces the content of every file. */
    rewrite: (change: (content: string) => string) => {
      for (const drive of drives.values()) {
        for (const file of drive.values()) drive.set(file.id, { ...file, content: change(file.content) })
      }
    },
  }
}
export type Drives = ReturnType<typeof createDrives>
