import torch
# what torchvision does while it is imported when its library did not load


@torch.library.register_fake("torchvision::nms")
def meta_nms(boxes, scores, iou_threshold):
    return boxes.new_empty(0, dtype=torch.long)
