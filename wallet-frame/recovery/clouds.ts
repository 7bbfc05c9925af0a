/** Both in one file: they have nearly all in common. */
export { googleDrive } from './google-drive/google-drive.ts'
export { icloud } from './icloud/icloud.ts'
