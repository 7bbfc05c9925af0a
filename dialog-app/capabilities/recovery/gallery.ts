import { type Picture, type Pictures, picturedView } from '../../contract/picture.ts'
import { noWay, onlyClose } from '../../flow/screen.ts'
import { CloudSet, type CloudSetProps, ToCloud, type ToCloudProps, Working } from './cloud/cloud-screen.tsx'
import { cloudProblems } from './cloud/problem.ts'
import {
  cloudScreen,
  cloudSetScreen,
  methodSetScreens,
  selectionScreen,
  tooNewScreen,
  windowScreens,
} from './screens.ts'
import { type SelectionProps, SelectionScreen } from './selection-screen.tsx'
import { type TooNew, TooNewView, type TooNewViewProps } from './too-new-screen.tsx'
import {
  MethodSet,
  type MethodSetProps,
  WindowView,
  type WindowViewProps,
  windowProblems,
} from './window/window-screen.tsx'

// The button is of another origin, which has no place in the gallery: it is always just coming.
const buttonUrl = 'about:blank'
const asking = { at: 'asking', buttonUrl } as const
const inWindow = (window: 'open' | 'closed' | 'none') => ({ at: 'window', window, buttonUrl }) as const

type WindowPicture = Partial<Pick<WindowViewProps, 'method' | 'purpose' | 'step'>> & { isOwn?: boolean }

function byWindow(caption: string, change: WindowPicture = {}): Picture {
  const { method = 'user-passcode', purpose = 'set', step = asking, isOwn = true } = change
  return {
    caption,
    screen: picturedView(
      windowScreens[method][purpose],
      WindowView,
      (press): WindowViewProps => ({
        method,
        purpose,
        step,
        onState: press('opened'),
        onCancel: isOwn ? press('cancel') : undefined,
      }),
      purpose === 'recover' ? onlyClose : undefined,
    ),
  }
}

function methodSet(
  caption: string,
  method: MethodSetProps['method'],
  purpose: 'set' | 'update' = 'set',
  isOwn = true,
): Picture {
  return {
    caption,
    screen: picturedView(
      methodSetScreens[method][purpose],
      MethodSet,
      (press): MethodSetProps => ({ method, onClose: isOwn ? press('close') : undefined }),
    ),
  }
}

type SelectionPicture = Pick<SelectionProps, 'options' | 'present'>

const selection = (caption: string, change: SelectionPicture, isOwn = false): Picture => ({
  caption: `Recovery, ${caption}`,
  screen: picturedView(
    selectionScreen,
    SelectionScreen,
    (press): SelectionProps => ({
      ...change,
      onChoose: press('choose'),
      onCancel: isOwn ? press('cancel') : undefined,
    }),
  ),
})

type CloudPicture = Partial<Pick<ToCloudProps, 'cloud' | 'purpose' | 'step'>> & { isOwn?: boolean }

function cloud(caption: string, change: CloudPicture = {}): Picture {
  const { isOwn = true, ...over } = change
  return {
    caption: `Cloud, ${caption}`,
    screen: picturedView(
      cloudScreen,
      ToCloud,
      (press): ToCloudProps => ({
        cloud: 'google-drive',
        purpose: 'set',
        step: asking,
        onState: press('opened'),
        onCancel: isOwn ? press('cancel') : undefined,
        ...over,
      }),
      change.purpose === 'recover' ? onlyClose : undefined,
    ),
  }
}

const working = (caption: string, purpose: 'set' | 'recover'): Picture => ({
  caption: `Cloud, ${caption}`,
  screen: picturedView(cloudScreen, Working, () => ({ cloud: 'google-drive', purpose }) as const, noWay),
})

const tooNew = (caption: string, change: Partial<TooNew>): Picture => ({
  caption,
  screen: picturedView(
    tooNewScreen,
    TooNewView,
    (press): TooNewViewProps => ({
      tooNew: {
        blocks: 'recovery',
        untilSeconds: undefined,
        canLogIn: false,
        canVerify: false,
        ...change,
      },
      onLogIn: press('log in'),
      onVerify: press('verify'),
      onBack: press('back'),
    }),
  ),
})

export const pictures: Pictures = {
  screens: [
    byWindow('Password, create'),
    byWindow('Password, not asked for', { isOwn: false }),
    byWindow('Password, update', { purpose: 'update' }),
    byWindow('Password, window', { step: inWindow('open') }),
    byWindow('Password, updating', { purpose: 'update', step: inWindow('open') }),
    byWindow('Password, window closed', { step: inWindow('closed') }),
    byWindow('Password, window unseen', { step: inWindow('none') }),
    methodSet('Password, set', 'user-passcode'),
    methodSet('Password, updated', 'user-passcode', 'update'),
    methodSet('Password, set by itself', 'user-passcode', 'set', false),
    ...windowProblems.map((problem) => byWindow(`Password, ${problem}`, { step: { ...asking, problem } })),
    byWindow('Recover', { purpose: 'recover', isOwn: false }),
    byWindow('Recovering', { purpose: 'recover', isOwn: false, step: inWindow('open') }),
    byWindow('Passkey, set', { method: 'passkey' }),
    byWindow('Passkey, window', { method: 'passkey', step: inWindow('open') }),
    methodSet('Passkey, set and done', 'passkey'),
    byWindow('Passkey, recover', { method: 'passkey', purpose: 'recover', isOwn: false }),
    selection(
      'choice',
      { options: ['passkey', 'google-drive', 'icloud', 'user-passcode'], present: 'latchkey' },
      true,
    ),
    selection(
      'choice anew',
      { options: ['google-drive', 'icloud', 'user-passcode'], present: 'user-passcode' },
      true,
    ),
    selection('choice that nobody asked for', {
      options: ['google-drive', 'user-passcode'],
      present: undefined,
    }),
    selection('no way here', { options: [], present: undefined }),
    cloud('set'),
    cloud('window', { step: inWindow('open') }),
    cloud('window closed', { step: inWindow('closed') }),
    cloud('window unseen', { cloud: 'icloud', step: inWindow('none') }),
    working('setting', 'set'),
    {
      caption: 'Cloud, set and done',
      screen: picturedView(
        cloudSetScreen,
        CloudSet,
        (press): CloudSetProps => ({ cloud: 'google-drive', onClose: press('close') }),
      ),
    },
    ...cloudProblems.map((problem) => {
      const isRecovery = problem === 'missing' || problem === 'foreign'
      const purpose = isRecovery ? 'recover' : 'set'
      return cloud(problem, { purpose, isOwn: !isRecovery, step: { ...asking, problem } })
    }),
    cloud('recover', { purpose: 'recover', isOwn: false }),
    working('recovering', 'recover'),
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
