/** The cloud sign-in window for wallet recovery, and the sandbox's cloud files. */
import type { BrowserContext, FrameLocator, Page } from '@playwright/test'
import type { HostPage } from './host-page.ts'
import { confirmAs, openWindow } from './login-window.ts'

export const clouds = {
  'google-drive': { title: 'Google Drive', api: 'google-drive', fault: 'googleDrive' },
  icloud: { title: 'iCloud', api: 'cloudkit', fault: 'cloudKit' },
} as const
export type Cloud = keyof typeof clouds

const opener = /^(Continue with (Google Drive|iCloud)|Try again)$/

/** The button on the card, in a frame of the wallet origin. */
export const cloudButton = (dialog: FrameLocator) =>
  dialog.frameLocator('iframe[title^="Continue with"]').getByRole('button')

/** Opens the wallet window, and from its button the cloud window. */
export async function openCloud(context: BrowserContext, { dialog }: HostPage) {
  const ofWallet = await openWindow(context, cloudButton(dialog))
  const ofCloud = await openWindow(context, ofWallet.getByRole('button', { name: opener }))
  return { ofWallet, ofCloud }
}

/** Signs in as the cloud user with this name. */
export async function signInAs(context: BrowserContext, host: HostPage, name: string): Promise<Page> {
  const { ofWallet, ofCloud } = await openCloud(context, host)
  await confirmAs(ofCloud, name)
  return ofWallet
}

/**
 * Records the cloud secrets that the wallet frame uses from now on: Google's token and Apple's session. No
 * other page needs them.
 */
export function rememberSecrets(context: BrowserContext): ReadonlyMap<Cloud, string> {
  const secrets = new Map<Cloud, string>()
  context.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    const session = searchParams.get('ckSession')
    const token = pathname.includes('/drive/v3/') && request.headers().authorization
    if (session) secrets.set('icloud', session)
    if (token) secrets.set('google-drive', token.slice('Bearer '.length))
  })
  return secrets
}

type File = { name: string; content: string }

export async function getFiles(sandboxUrl: string, cloud: Cloud): Promise<readonly File[]> {
  const answer = await fetch(`${sandboxUrl}/api/${clouds[cloud].api}`)
  return ((await answer.json()) as { files: readonly File[] }).files
}

/** Deletes all files with `cleared`, or assigns them to another wallet with `foreign`. */
export const changeFiles = (sandboxUrl: string, cloud: Cloud, files: 'cleared' | 'foreign') =>
  fetch(`${sandboxUrl}/api/${clouds[cloud].api}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ files }),
  })
