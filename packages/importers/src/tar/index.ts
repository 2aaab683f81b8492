export { readTar, type TarEntry } from './read-tar.ts'
export { TAR_END, tarHeader, tarPadding } from './write-tar.ts'
