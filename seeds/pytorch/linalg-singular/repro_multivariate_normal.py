import torch

cov = torch.tensor([[1.0, 1.0], [1.0, 1.0]])
print(torch.distributions.MultivariateNormal(torch.zeros(2), covariance_matrix=cov).sample().shape)
