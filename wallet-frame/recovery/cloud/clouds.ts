export { googleDrive } from '../google-drive/google-drive.ts'
export { icloud } from '../icloud/icloud.ts'
