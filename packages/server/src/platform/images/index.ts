export { BadImage, type ImageType, isImageType, type MadeImage, makeImage } from './image.ts'
