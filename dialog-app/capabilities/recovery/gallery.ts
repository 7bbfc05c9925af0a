import { type Picture, type Pictures, pictured } from '../../contract/picture.ts'
import type { CloudState } from './cloud/cloud-screen.tsx'
import { cloudProblems } from './cloud/problem.ts'
import { cloudScreen, selectionScreen, tooNewScreen, windowScreenOf } from './screens.ts'
import type { TooNewState } from './too-new-screen.tsx'
import { type WindowState, windowProblems } from './window/window-screen.tsx'

const byWindow = (caption: string, over: Pick<WindowState, 'step'> & Partial<WindowState>): Picture => {
  const state: WindowState = { method: 'user-passcode', purpose: 'set', canCancel: true, ...over }
  return {
    caption,
    screen: pictured(windowScreenOf(state.method, state.purpose, state.step.at), state),
  }
}
// The button is of another origin, which has no place in the gallery: it is always just coming.
const buttonUrl = 'about:blank'
const asking = { at: 'asking', buttonUrl } as const

const tooNew = (caption: string, over: Partial<TooNewState>): Picture => ({
  caption,
  screen: pictured(tooNewScreen, {
    blocks: 'recovery',
    untilSeconds: undefined,
    canLogIn: false,
    canVerify: false,
    ...over,
  }),
})

const cloud = (caption: string, over: Pick<CloudState, 'step'> & Partial<CloudState>): Picture => ({
  caption,
  screen: pictured(cloudScreen, { cloud: 'google-drive', purpose: 'set', canCancel: true, ...over }),
})

export const pictures: Pictures = {
  screens: [
    byWindow('Password, create', { step: asking }),
    byWindow('Password, not asked for', { step: asking, canCancel: false }),
    byWindow('Password, update', { purpose: 'update', step: asking }),
    byWindow('Password, window', { step: { at: 'window', window: 'open', buttonUrl } }),
    byWindow('Password, updating', { purpose: 'update', step: { at: 'window', window: 'open', buttonUrl } }),
    byWindow('Password, window closed', { step: { at: 'window', window: 'closed', buttonUrl } }),
    byWindow('Password, window unseen', { step: { at: 'window', window: 'none', buttonUrl } }),
    byWindow('Password, set', { step: { at: 'done' } }),
    byWindow('Password, updated', { purpose: 'update', step: { at: 'done' } }),
    byWindow('Password, set by itself', { step: { at: 'done' }, canCancel: false }),
    ...windowProblems.map((problem) => byWindow(`Password, ${problem}`, { step: { ...asking, problem } })),
    byWindow('Recover', { purpose: 'recover', canCancel: false, step: asking }),
    byWindow('Recovering', {
      purpose: 'recover',
      canCancel: false,
      step: { at: 'window', window: 'open', buttonUrl },
    }),
    byWindow('Passkey, set', { method: 'passkey', step: asking }),
    byWindow('Passkey, window', { method: 'passkey', step: { at: 'window', window: 'open', buttonUrl } }),
    byWindow('Passkey, set and done', { method: 'passkey', step: { at: 'done' } }),
    byWindow('Passkey, recover', {
      method: 'passkey',
      purpose: 'recover',
      canCancel: false,
      step: asking,
    }),
    {
      caption: 'Recovery, choice',
      screen: pictured(selectionScreen, {
        options: ['passkey', 'google-drive', 'icloud', 'user-passcode'],
        present: 'latchkey',
        byUser: true,
      }),
    },
    {
      caption: 'Recovery, choice anew',
      screen: pictured(selectionScreen, {
        options: ['google-drive', 'icloud', 'user-passcode'],
        present: 'user-passcode',
        byUser: true,
      }),
    },
    {
      caption: 'Recovery, choice that nobody asked for',
      screen: pictured(selectionScreen, {
        options: ['google-drive', 'user-passcode'],
        present: undefined,
        byUser: false,
      }),
    },
    {
      caption: 'Recovery, no way here',
      screen: pictured(selectionScreen, { options: [], present: undefined, byUser: false }),
    },
    cloud('Cloud, set', { step: asking }),
    cloud('Cloud, window', { step: { at: 'window', window: 'open', buttonUrl } }),
    cloud('Cloud, window closed', { step: { at: 'window', window: 'closed', buttonUrl } }),
    cloud('Cloud, window unseen', { cloud: 'icloud', step: { at: 'window', window: 'none', buttonUrl } }),
    cloud('Cloud, setting', { step: { at: 'working' } }),
    cloud('Cloud, set and done', { step: { at: 'done' } }),
    ...cloudProblems.map((problem) =>
      cloud(`Cloud, ${problem}`, {
        purpose: problem === 'missing' || problem === 'foreign' ? 'recover' : 'set',
        canCancel: problem !== 'missing' && problem !== 'foreign',
        step: { ...asking, problem },
      }),
    ),
    cloud('Cloud, recover', { purpose: 'recover', canCancel: false, step: asking }),
    cloud('Cloud, recovering', { purpose: 'recover', canCancel: false, step: { at: 'working' } }),
    tooNew('Recovery, too new', { untilSeconds: 1_767_484_860, canLogIn: true }),
    tooNew('Recovery, too new, with an older factor', {
      untilSeconds: 1_767_484_860,
      canLogIn: true,
      canVerify: true,
    }),
    tooNew('Recovery, not known how new', {}),
    tooNew('Approval, too new', { blocks: 'approval', untilSeconds: 1_767_484_860, canLogIn: true }),
  ],
}
