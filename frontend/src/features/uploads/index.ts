export { uploadManager } from "./manager";
export { UploadButton, UploadDropArea, UploadKeeper, UploadStrip } from "./UploadControls";
export { UploadList } from "./UploadList";
