export { type ImageType, isImageType } from './convert.ts'
export { BadImage } from './errors.ts'
export { closeImageConverter, convertImage, imageSlots } from './image.ts'
