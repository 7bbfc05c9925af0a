/** The window of a cloud in which a wallet is kept, and what the sandbox has in that cloud. */
import type { BrowserContext, FrameLocator, Page } from '@playwright/test'
import type { HostPage } from './host-page.ts'
import { confirmAs, openWindow } from './login-window.ts'

export const clouds = {
  'google-drive': { title: 'Google Drive', api: 'google-drive', fault: 'googleDrive' },
  icloud: { title: 'iCloud', api: 'cloudkit', fault: 'cloudKit' },
} as const
export type Cloud = keyof typeof clouds

const opener = /^(Continue with (Google Drive|iCloud)|Try again)$/

/** The button on the card, which the wallet's origin draws in a frame. */
export const cloudButton = (dialog: FrameLocator) =>
  dialog.frameLocator('iframe[title^="Continue with"]').getByRole('button')

/** The window of the wallet, and the one of the cloud that its button opens. */
export async function openCloud(context: BrowserContext, { dialog }: HostPage) {
  const ofWallet = await openWindow(context, cloudButton(dialog))
  const ofCloud = await openWindow(context, ofWallet.getByRole('button', { name: opener }))
  return { ofWallet, ofCloud }
}

/** Signs in as the person whom the cloud knows by this name. */
export async function signInAs(context: BrowserContext, host: HostPage, name: string): Promise<Page> {
  const { ofWallet, ofCloud } = await openCloud(context, host)
  await confirmAs(ofCloud, name)
  return ofWallet
}

/**
 * What the wallet frame shows to a cloud, by itself, from now on: the token of Google's and the session of Apple's. No
 * other page has a use for them.
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

export async function filesIn(sandboxUrl: string, cloud: Cloud): Promise<readonly File[]> {
  const answer = await fetch(`${sandboxUrl}/api/${clouds[cloud].api}`)
  return ((await answer.json()) as { files: readonly File[] }).files
}

/** `cleared`: they are gone. `foreign`: each is of another wallet. */
export const changeFiles = (sandboxUrl: string, cloud: Cloud, files: 'cleared' | 'foreign') =>
  fetch(`${sandboxUrl}/api/${clouds[cloud].api}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ files }),
  })
