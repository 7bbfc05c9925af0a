import { expect, test } from 'vitest'
import type { App } from '../../identity/apps/apps.ts'
import { parseConfig } from '../../kernel/config.ts'
import type { Reader } from '../../kernel/ports.ts'
import { appWith } from '../../testing/app.ts'
import { chains } from './capability.ts'

const sourcesOf = (rpcUrls: App['config']['rpcUrls']) =>
  chains.sources?.(appWith({ rpcUrls }), parseConfig({}, []), {} as Reader)

test('the dialog may connect to the configured RPC origins of its app, each listed once', () => {
  expect(
    sourcesOf({
      1: ['https://rpc.example/v3/key', 'https://other.example/eth'],
      10: ['https://rpc.example/v3/optimism'],
      31337: ['http://127.0.0.1:4035'],
    }),
  ).toEqual({ connect: ['https://rpc.example', 'https://other.example', 'http://127.0.0.1:4035'] })
})

test('the dialog of an app without RPC URLs may connect to none', () => {
  expect(sourcesOf({})).toEqual({ connect: [] })
})
