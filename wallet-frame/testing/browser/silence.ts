/** Network APIs by which a page of the wallet origin or its vault could leak data; each must be blocked. */
import type { Frame, Worker } from 'playwright'
import { describe, expect, it } from 'vitest'
import type { OwnPages } from './own-pages.ts'

const ofVault: Readonly<Record<string, string>> = {
  fetch: 'fetch(exit)',
  WebSocket: `new Promise((resolve, reject) => {
    new WebSocket(exit.replace('http', 'ws')).onerror = () => reject(new Error('refused'))
  })`,
  'import()': 'import(exit)',
  'a nested worker': `new Promise((resolve, reject) => {
    const worker = new Worker(exit)
    worker.onmessage = resolve
    worker.onerror = () => reject(new Error('refused'))
  })`,
}
const ofPage: Readonly<Record<string, string>> = {
  fetch: 'fetch(exit)',
  sendBeacon: `navigator.sendBeacon(exit) ? Promise.resolve() : Promise.reject(new Error('refused'))`,
  'an image': `new Promise((resolve, reject) => {
    const image = new Image()
    image.onload = resolve
    image.onerror = () => reject(new Error('refused'))
    image.src = exit
  })`,
  'a frame': `new Promise((resolve, reject) => {
    addEventListener('securitypolicyviolation', () => reject(new Error('refused')))
    const frame = document.createElement('iframe')
    frame.src = exit
    document.body.append(frame)
  })`,
}

const outcome = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'got out',
    () => 'refused',
  )

type Evaluates = { evaluate: (code: string) => Promise<unknown> }

/** Describes the tests of network isolation. `open` opens the page with its vault running. */
export function describeSilence(
  visit: Pick<OwnPages, 'stage'>,
  open: () => Promise<{ frame: Frame; vault: Worker }>,
) {
  const exit = () => `${visit.stage.originOf('wallet')}/exit`
  const attempt = (by: Evaluates, code: string | undefined) =>
    outcome(by.evaluate(`((exit) => ${code})('${exit()}')`))

  describe('the page and its vault are silent', () => {
    it('on every way out of the vault', async () => {
      const { vault } = await open()
      visit.stage.exits.length = 0
      for (const [name, code] of Object.entries(ofVault)) {
        expect([name, await attempt(vault, code)]).toEqual([name, 'refused'])
      }
      expect(visit.stage.exits).toEqual([])
    })

    it('on every way out of the page', async () => {
      const { frame } = await open()
      visit.stage.exits.length = 0
      for (const [name, code] of Object.entries(ofPage)) {
        const tried = await attempt(frame, code)
        if (name !== 'sendBeacon') expect([name, tried]).toEqual([name, 'refused'])
      }
      expect(visit.stage.exits).toEqual([])
    })

    it('by their policies: without them both get out', async () => {
      visit.stage.stripPolicies(true)
      const { frame, vault } = await open()
      visit.stage.exits.length = 0
      await attempt(vault, ofVault.fetch)
      await attempt(frame, ofPage.fetch)
      expect(visit.stage.exits).toEqual(['/exit', '/exit'])
    })
  })
}
