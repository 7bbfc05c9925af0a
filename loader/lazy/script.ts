/**
 * The second file for the script tag. The first file pins it by hash and listens at the element that it
 * created, so that nothing is global and no other script can respond instead.
 */
import { productKey } from '@latchkey/protocol'
import type { SecondFile } from '../client/second-file.ts'
import * as secondFile from './second-file.ts'

document.currentScript?.dispatchEvent(
  new CustomEvent(productKey, { detail: secondFile satisfies SecondFile }),
)
