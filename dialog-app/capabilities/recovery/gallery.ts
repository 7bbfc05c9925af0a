import { type Picture, type Pictures, pictured } from '../../core/picture.ts'
import {
  passwordCreateScreen,
  passwordRecoveryScreen,
  passwordUpdateScreen,
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
