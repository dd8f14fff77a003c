import { Empty, PageHead, Section } from "@/shared/ui/layout";
import { useUploads } from "./manager";
import { UploadButton, UploadDropArea } from "./UploadControls";
import { UploadList } from "./UploadList";

export function UploadsPage() {
  const none = useUploads().length === 0;
  return (
    <UploadDropArea>
      <PageHead
        title="Uploads"
        lede="An unfinished upload is kept for a day. It carries on where it stopped, after a reload too."
        actions={<UploadButton>Upload a model</UploadButton>}
      />
      {none ? (
        <Section title="Nothing on its way">
          <Empty title="No unfinished uploads">Drop a model anywhere on this page, or choose one.</Empty>
        </Section>
      ) : (
        <UploadList />
      )}
    </UploadDropArea>
  );
}
