/** The window of a cloud in which a wallet is kept, and what the sandbox has in that cloud. */
import type { BrowserContext } from '@playwright/test'
import type { HostPage } from './host-page.ts'
import { confirmAs, openWindow } from './login-window.ts'

export const clouds = {
  'google-drive': { title: 'Google Drive', api: 'google-drive', fault: 'googleDrive' },
  icloud: { title: 'iCloud', api: 'cloudkit', fault: 'cloudKit' },
} as const
export type Cloud = keyof typeof clouds

/** Presses what opens it. */
export const openCloud = (context: BrowserContext, { dialog }: HostPage) =>
  openWindow(
    context,
    dialog.getByRole('button', { name: /^(Continue with (Google Drive|iCloud)|Try again)$/ }),
  )

/** As somebody whom it knows by this name. */
export async function signInAs(context: BrowserContext, host: HostPage, name: string) {
  await confirmAs(await openCloud(context, host), name)
}

type File = { readonly name: string; readonly content: string }

export async function filesIn(sandboxUrl: string, cloud: Cloud): Promise<readonly File[]> {
  const answer = await fetch(`${sandboxUrl}/api/${clouds[cloud].api}`)
  return ((await answer.json()) as { readonly files: readonly File[] }).files
}

/** `cleared`: they are gone. `foreign`: each is of another wallet. */
export const changeFiles = (sandboxUrl: string, cloud: Cloud, files: 'cleared' | 'foreign') =>
  fetch(`${sandboxUrl}/api/${clouds[cloud].api}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ files }),
  })
