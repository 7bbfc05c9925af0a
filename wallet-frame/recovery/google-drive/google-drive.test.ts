/** The files of Google Drive, where two files may have one name, because an upload was retried. */
import { expect, it } from 'vitest'
import { createDriveFiles } from './google-drive.ts'

const file = { address: '0xA', generation: 2 } as const
const drive = 'https://www.googleapis.com'

function driveWith(contents: Readonly<Record<string, string>>) {
  const asked: string[] = []
  const left = new Map(Object.entries(contents))
  const fetch = async (address: string, init: RequestInit) => {
    const { pathname, searchParams } = new URL(address)
    asked.push(`${init.method ?? 'GET'} ${pathname}`)
    if (pathname === '/drive/v3/files') {
      expect(Object.fromEntries(searchParams)).toEqual({
        spaces: 'appDataFolder',
        q: "name = 'latchkey-0xA-2.json'",
        orderBy: 'createdTime desc',
        fields: 'files(id)',
      })
      return Response.json({ files: [...left.keys()].map((id) => ({ id })) })
    }
    const id = pathname.replace('/drive/v3/files/', '')
    if (init.method !== 'DELETE') return new Response(left.get(id))
    left.delete(id)
    return new Response(null, { status: 204 })
  }
  return { files: createDriveFiles(drive, 'token', fetch, new AbortController().signal), asked, left }
}

it('reads the newest of two files with one name', async () => {
  const { files } = driveWith({ newer: 'the new one', older: 'the old one' })
  expect(await files.read(file)).toBe('the new one')
})

it('deletes all files with one name', async () => {
  const { files, asked, left } = driveWith({ newer: 'the new one', older: 'the old one' })
  await files.remove(file)
  expect([...left.keys()]).toEqual([])
  expect(asked).toEqual([
    'GET /drive/v3/files',
    'DELETE /drive/v3/files/newer',
    'DELETE /drive/v3/files/older',
  ])
})
