import { Button, FileButton, Title } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import * as api from "@/api/endpoints";
import { bytes, duration } from "@/shared/format";
import { Icon } from "@/shared/ui/icons";
import { uploadManager, useUploads } from "./manager";
import styles from "./uploads.module.css";

export function UploadButton({ modelName, children }: { modelName?: string; children: ReactNode }) {
  return (
    <FileButton multiple onChange={(files) => uploadManager.add(files, modelName)}>
      {(props) => (
        <Button leftSection={<Icon name="upload" />} {...props}>
          {children}
        </Button>
      )}
    </FileButton>
  );
}

const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;

/** While this is on the page, files may be dropped anywhere on it. */
export function UploadDropArea({ modelName, children }: { modelName?: string; children: ReactNode }) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    let depth = 0;
    const enter = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      depth += 1;
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      depth = Math.max(0, depth - 1);
      if (depth === 0) setOver(false);
    };
    const hover = (event: DragEvent) => {
      if (carriesFiles(event)) event.preventDefault();
    };
    const drop = (event: DragEvent) => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      depth = 0;
      setOver(false);
      uploadManager.add(Array.from(event.dataTransfer?.files ?? []), modelName);
    };
    window.addEventListener("dragenter", enter);
    window.addEventListener("dragleave", leave);
    window.addEventListener("dragover", hover);
    window.addEventListener("drop", drop);
    return () => {
      window.removeEventListener("dragenter", enter);
      window.removeEventListener("dragleave", leave);
      window.removeEventListener("dragover", hover);
      window.removeEventListener("drop", drop);
    };
  }, [modelName]);
  return (
    <>
      {children}
      {over && (
        <div className={styles.drop}>
          <div>
            <Icon name="upload" size={28} />
            <Title order={2} mt={8}>
              Drop to upload{modelName ? ` a new version of ${modelName}` : ""}
            </Title>
            <div className="dim">.onnx, or a .zip with its external data</div>
          </div>
        </div>
      )}
    </>
  );
}

/** Meets unfinished uploads after a reload, and refreshes the lists when one arrives. Renders nothing. */
export function UploadKeeper() {
  const client = useQueryClient();
  const navigate = useNavigate();
  const receiving = useQuery({
    queryKey: ["uploads", "receiving"],
    queryFn: ({ signal }) => api.uploadsReceiving({ signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (receiving.data) void uploadManager.restore(receiving.data.items);
  }, [receiving.data]);
  useEffect(
    () =>
      uploadManager.onFinished((upload) => {
        void client.invalidateQueries({ queryKey: ["models"] });
        if (upload.model_id) void client.invalidateQueries({ queryKey: ["model", upload.model_id] });
        const { version_id: versionId } = upload;
        if (!versionId || /^\/(models|uploads)?$/.test(window.location.pathname)) return;
        notifications.show({
          title: `${upload.filename} is uploaded`,
          message: "Select to see what was found in it.",
          onClick: () => void navigate({ to: "/versions/$versionId", params: { versionId } }),
        });
      }),
    [client, navigate],
  );
  return null;
}

/** One line under the header while bytes move and the list is not on the page. */
export function UploadStrip() {
  const active = useUploads().filter(
    (item) => item.phase === "sending" || item.phase === "hashing" || item.phase === "completing",
  );
  if (active.length === 0) return null;
  const size = active.reduce((sum, item) => sum + item.size, 0);
  const sent = active.reduce((sum, item) => sum + item.sent, 0);
  const left = Math.max(...active.map((item) => item.secondsLeft ?? 0));
  return (
    <div className={styles.strip}>
      <div>
        <span>
          Uploading {active.length === 1 ? active[0]?.filename : `${active.length} files`}: {bytes(sent)} of{" "}
          {bytes(size)}
          {left > 0 && `, ${duration(Math.max(1, left))} left`}
        </span>
        <Link to="/uploads">Show</Link>
      </div>
    </div>
  );
}
