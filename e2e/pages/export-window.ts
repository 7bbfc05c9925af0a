/** The export window of the wallet origin, which shows a key to its user. */
import type { Locator, Page } from '@playwright/test'
import { expect } from '../test.ts'
import { pressGated } from './pointer.ts'
import { openWindow } from './recovery-window.ts'

type Card = Parameters<typeof openWindow>[0]

export const openExport = (card: Card): Promise<Page> => openWindow(card)

const gated = (window: Page, name: string): Locator => window.getByRole('button', { name })

/** Presses the approval of the export. */
export const approveExport = (window: Page) => pressGated(gated(window, 'Show my key'))

/** Reveals one form of the key. Returns its text. */
export async function reveal(window: Page, name: 'private key' | 'seed phrase', form: 'key' | 'phrase') {
  await pressGated(gated(window, `Show ${name}`))
  await expect(window.getByRole('button', { name: `Hide ${name}` })).toBeVisible()
  return (await window.locator(`[data-form=${form}]`).textContent()) ?? ''
}

/** Copies the key. The button stays, so its label shows that the press counted. */
export const copy = (window: Page, name: 'private key' | 'seed phrase') =>
  pressGated(gated(window, `Copy ${name}`), window.getByText(/^Copied/))
