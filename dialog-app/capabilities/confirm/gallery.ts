import { type Pictures, pictured } from '../../contract/picture.ts'
import { confirmScreen } from './screens.ts'

export const pictures: Pictures = {
  screens: [{ caption: 'Confirm, inside of an app', screen: pictured(confirmScreen, {}) }],
}
