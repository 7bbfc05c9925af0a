/** Both clouds in one file, because they share most of their code. */
export { googleDrive } from './google-drive/google-drive.ts'
export { icloud } from './icloud/icloud.ts'
