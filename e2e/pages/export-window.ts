/** The window of the wallet's origin in which somebody sees the key of their wallet. */
import type { Locator, Page } from '@playwright/test'
import { expect } from '../test.ts'
import { pressGated } from './pointer.ts'
import { openWindow } from './recovery-window.ts'

type Card = Parameters<typeof openWindow>[0]

export const openExport = (card: Card): Promise<Page> => openWindow(card)

const gated = (window: Page, name: string): Locator => window.getByRole('button', { name })

/** Their yes, which is the approval. */
export const approveExport = (window: Page) => pressGated(gated(window, 'Show my key'))

/** What the window shows of one form, by the press of its user. */
export async function reveal(window: Page, name: 'private key' | 'seed phrase', form: 'key' | 'phrase') {
  await pressGated(gated(window, `Show ${name}`))
  await expect(window.getByRole('button', { name: `Hide ${name}` })).toBeVisible()
  return (await window.locator(`[data-form=${form}]`).textContent()) ?? ''
}

/** The button stays: what is said of it tells that it was heard. */
export const copy = (window: Page, name: 'private key' | 'seed phrase') =>
  pressGated(gated(window, `Copy ${name}`), window.getByText(/^Copied/))
