/** Pages that put features together: features themselves do not know each other. */
import { useParams } from "@tanstack/react-router";
import { ModelPage as ModelView } from "@/features/models/ModelPage";
import { ModelsPage as ModelsView } from "@/features/models/ModelsPage";
import { VersionPage as VersionView } from "@/features/models/VersionPage";
import { RunTable } from "@/features/runs/RunTable";
import { UploadButton, UploadDropArea, UploadList } from "@/features/uploads";

export function ModelsPage() {
  return (
    <UploadDropArea>
      <ModelsView upload={<UploadButton>Upload a model</UploadButton>} uploads={<UploadList />} />
    </UploadDropArea>
  );
}

export function ModelPage() {
  const { modelId } = useParams({ from: "/app/models/$modelId" });
  return (
    <ModelView
      modelId={modelId}
      runs={<RunTable query={{ model_id: modelId }} columns="version" />}
      upload={(name) => <UploadButton modelName={name}>Upload a new version</UploadButton>}
      dropArea={(name, children) => <UploadDropArea modelName={name}>{children}</UploadDropArea>}
      uploads={<UploadList />}
    />
  );
}

export function VersionPage() {
  const { versionId } = useParams({ from: "/app/versions/$versionId" });
  return (
    <VersionView versionId={versionId} runs={<RunTable query={{ version_id: versionId }} columns="none" />} />
  );
}
