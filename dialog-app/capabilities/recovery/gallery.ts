import { type Picture, type Pictures, pictured } from '../../core/picture.ts'
import type { CloudState } from './cloud/cloud-screen.tsx'
import { cloudProblems } from './cloud/problem.ts'
import type { PasskeyState } from './passkey/passkey-screen.tsx'
import { passkeyProblems } from './passkey/problem.ts'
import {
  cloudScreen,
  passkeyRecoveryScreen,
  passwordCreateScreen,
  passwordRecoveryScreen,
  passwordUpdateScreen,
  selectionScreen,
  tooNewScreen,
  updateSplashScreen,
} from './screens.ts'
import { english } from './texts.en.ts'
import type { WizardState, WizardStep } from './wizard-screen.tsx'

const password = 'harbor-violin-meadow-copper'
const byUser: Omit<WizardState, 'step'> = { appName: 'Fieldnotes', isUpdate: false, byUser: true }
const wizard = (caption: string, step: WizardStep, over: Partial<WizardState> = {}): Picture => ({
  caption,
  canGoBack: step.at !== 'creating' && step.at !== 'done',
  screen: pictured(passwordCreateScreen, { ...byUser, ...over, step }),
})

const cloud = (caption: string, over: Pick<CloudState, 'step'> & Partial<CloudState>): Picture => ({
  caption,
  screen: pictured(cloudScreen, { cloud: 'google-drive', purpose: 'set', canCancel: true, ...over }),
})

const passkey = (caption: string, over: Pick<PasskeyState, 'step'> & Partial<PasskeyState>): Picture => ({
  caption,
  screen: pictured(passkeyRecoveryScreen, { purpose: 'set', canCancel: true, ...over }),
})

export const pictures: Pictures = {
  screens: [
    wizard('Password, create', { at: 'creating', password: '' }),
    wizard('Password, generated', { at: 'creating', password }),
    wizard('Password, weak', { at: 'creating', password: 'abcdef' }),
    wizard('Password, too short', { at: 'creating', password: 'abc' }),
    wizard('Password, invalid', { at: 'creating', password: 'per favore così=' }),
    wizard('Password, not asked for', { at: 'creating', password: '' }, { byUser: false }),
    wizard('Password, save', { at: 'saving', password }),
    wizard('Password, confirm', { at: 'confirming', password }),
    {
      ...wizard('Password, differs', { at: 'confirming', password }),
      typed: {
        text: 'harbor-violin',
        into: pictured(passwordCreateScreen, { ...byUser, step: { at: 'confirming', password } }),
      },
    },
    wizard('Password, last step', { at: 'finalizing', status: 'asking' }),
    wizard('Password, setting', { at: 'finalizing', status: 'setting' }),
    wizard('Password, not set', { at: 'finalizing', status: 'asking', problem: english.problems.notSet }),
    wizard('Password, set', { at: 'done' }),
    wizard('Password, set by itself', { at: 'done' }, { byUser: false }),
    { caption: 'Password, update splash', screen: pictured(updateSplashScreen, {}) },
    {
      caption: 'Password, update',
      screen: pictured(passwordUpdateScreen, {
        ...byUser,
        isUpdate: true,
        step: { at: 'creating', password: '' },
      }),
    },
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
    cloud('Cloud, set', { step: { at: 'asking', isReady: true } }),
    cloud('Cloud, getting ready', { cloud: 'icloud', step: { at: 'asking', isReady: false } }),
    cloud('Cloud, window', { step: { at: 'window', window: 'open' } }),
    cloud('Cloud, window closed', { step: { at: 'window', window: 'closed' } }),
    cloud('Cloud, window unseen', { cloud: 'icloud', step: { at: 'window', window: 'none' } }),
    cloud('Cloud, setting', { step: { at: 'working' } }),
    cloud('Cloud, set and done', { step: { at: 'done' } }),
    ...cloudProblems.map((problem) =>
      cloud(`Cloud, ${problem}`, {
        purpose: problem === 'missing' || problem === 'foreign' ? 'recover' : 'set',
        canCancel: problem !== 'missing' && problem !== 'foreign',
        step: { at: 'asking', isReady: true, problem },
      }),
    ),
    cloud('Cloud, recover', { purpose: 'recover', canCancel: false, step: { at: 'asking', isReady: true } }),
    cloud('Cloud, recovering', { purpose: 'recover', canCancel: false, step: { at: 'working' } }),
    passkey('Passkey, set', { step: { at: 'asking', isMade: false } }),
    passkey('Passkey, made', { step: { at: 'asking', isMade: true } }),
    passkey('Passkey, prompt', { step: { at: 'prompt' } }),
    passkey('Passkey, setting', { step: { at: 'working' } }),
    passkey('Passkey, set and done', { step: { at: 'done' } }),
    passkey('Passkey, recover', {
      purpose: 'recover',
      canCancel: false,
      step: { at: 'asking', isMade: false },
    }),
    passkey('Passkey, recovering', { purpose: 'recover', canCancel: false, step: { at: 'working' } }),
    ...passkeyProblems.map((problem) =>
      passkey(`Passkey, set, ${problem}`, { step: { at: 'asking', isMade: false, problem } }),
    ),
    ...passkeyProblems.map((problem) =>
      passkey(`Passkey, recover, ${problem}`, {
        purpose: 'recover',
        canCancel: false,
        step: { at: 'asking', isMade: false, problem },
      }),
    ),
    { caption: 'Recovery, too new', screen: pictured(tooNewScreen, { untilSeconds: 1_767_484_860 }) },
    { caption: 'Recovery, not known how new', screen: pictured(tooNewScreen, { untilSeconds: undefined }) },
    { caption: 'Recover', screen: pictured(passwordRecoveryScreen, { status: 'asking' }) },
    { caption: 'Recover, recovering', screen: pictured(passwordRecoveryScreen, { status: 'recovering' }) },
    {
      caption: 'Recover, wrong password',
      screen: pictured(passwordRecoveryScreen, { status: 'asking', problem: { type: 'wrong-password' } }),
    },
    {
      caption: 'Recover, failed',
      screen: pictured(passwordRecoveryScreen, { status: 'asking', problem: { type: 'failed' } }),
    },
    {
      caption: 'Recover, locked',
      screen: pictured(passwordRecoveryScreen, { status: 'asking', problem: { type: 'locked', minutes: 5 } }),
    },
  ],
}
